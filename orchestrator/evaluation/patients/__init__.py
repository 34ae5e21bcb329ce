"""Simulated patients: each has a goal, words it in their own way, and is judged by what the clinics' files hold."""

from orchestrator.evaluation.patients.patient_evaluation import PATIENTS_AGENDA, evaluate_patients
from orchestrator.evaluation.patients.patient_figures import PatientFigures
