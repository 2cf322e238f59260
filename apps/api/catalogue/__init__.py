"""What can be chosen: strategies, measures, and the names of everything else."""
