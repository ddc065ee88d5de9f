"""The hub of Kem's Net: it deals, settles who was first, and tells each seat what it may see."""
