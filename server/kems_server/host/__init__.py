"""What the host starts: options, console, the processes of hub and bots, and their supervisor."""
