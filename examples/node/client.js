// Lists the openings of a clinic, books the first one, and reads from a refusal what else is open.
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import protobuf from "protobufjs";
import { promisify } from "node:util";

const protos = new URL("../../protos", import.meta.url).pathname;
const options = { keepCase: true, includeDirs: [protos] };
const { ClinicService } = grpc.loadPackageDefinition(loader.loadSync("clinic/v1/clinic_service.proto", options)).clinic.v1;
const clinic = new ClinicService(process.argv[2], grpc.credentials.createInsecure());
const call = (method, request) => promisify(clinic[method].bind(clinic))(request);

// A gRPC status carries its details as google.rpc.Status.
const root = new protobuf.Root();
root.resolvePath = (_, target) => (target.startsWith("google/") ? target : `${protos}/${target}`);
root.loadSync("clinic/v1/clinic_service.proto");
protobuf.parse('syntax = "proto3"; package google.rpc; message Any { string type_url = 1; bytes value = 2; }' +
  "message Status { int32 code = 1; string message = 2; repeated Any details = 3; }", root, { keepCase: true });
const decode = (type, bytes) => root.lookupType(type).decode(bytes);

const { available_slots: [slot] } = await call("ListAvailableSlots", {});
const request = { doctor: slot.doctor, date: slot.date, time: slot.time };
const booked = await call("BookAppointment", { ...request, patient_name: "Carlos Teste", cpf: "123.456.789-00" });
console.log(booked.status, booked.appointment.doctor, booked.appointment.date, booked.appointment.time);
try {
  await call("BookAppointment", { ...request, patient_name: "Joana Prova", cpf: "987.654.321-00" });
} catch (refusal) {
  const { details } = decode("google.rpc.Status", refusal.metadata.get("grpc-status-details-bin")[0]);
  const found = details.find((detail) => detail.type_url.endsWith("clinic.v1.SlotAlternatives"));
  const { slots } = decode("clinic.v1.SlotAlternatives", found.value);
  console.log("open instead:", slots[0].date, slots[0].time);
}
clinic.close();
