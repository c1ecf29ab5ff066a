"""How well does a metric agree with people: human judgments, their rankings, correlations with metrics."""
