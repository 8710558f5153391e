#!/bin/sh
#SBATCH --array=0-3
#SBATCH --cpus-per-task=4
#SBATCH --time=02:00:00
#SBATCH --requeue

python score_part.py "$SLURM_ARRAY_TASK_ID" 4
