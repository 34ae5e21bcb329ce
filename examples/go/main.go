// Lists the openings of a clinic, books the first one, and reads from a refusal what else is open.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	clinicv1 "clinicmesh/clinic/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

func main() {
	conn, err := grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	clinic, ctx := clinicv1.NewClinicServiceClient(conn), context.Background()
	listed, err := clinic.ListAvailableSlots(ctx, &clinicv1.ListAvailableSlotsRequest{})
	if err != nil {
		log.Fatal(err)
	}
	slot := listed.AvailableSlots[0]
	request := &clinicv1.BookAppointmentRequest{
		Doctor: slot.Doctor, Date: slot.Date, Time: slot.Time, PatientName: "Carlos Teste", Cpf: "123.456.789-00"}
	booked, err := clinic.BookAppointment(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(booked.Status, booked.Appointment.Doctor, booked.Appointment.Date, booked.Appointment.Time)
	request.PatientName, request.Cpf = "Joana Prova", "987.654.321-00"
	_, err = clinic.BookAppointment(ctx, request)
	for _, detail := range status.Convert(err).Details() {
		if alternatives, ok := detail.(*clinicv1.SlotAlternatives); ok {
			fmt.Println("open instead:", alternatives.Slots[0].Date, alternatives.Slots[0].Time)
		}
	}
}
