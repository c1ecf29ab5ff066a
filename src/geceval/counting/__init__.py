"""The contract: metrics, counts and evidence, policies, the stream."""
