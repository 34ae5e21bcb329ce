"""Words answers for people, in Portuguese and English, from what clinics returned and nothing else."""
