// ATT and GATT on a socket that carries one PDU a datagram, for the load generator `Benchmarks/Peers/peerdrv.c`.
// BENCH_ROLE (server, client), BENCH_FD, BENCH_MTU, BENCH_CHARS, BENCH_N, BENCH_RUNS and BENCH_ONLY say what to do,
// BENCH_STORED=1 that the server keeps its values itself.

let settings = Settings()
let socket = PDUSocket(descriptor: settings.descriptor)
switch settings.role {
case "server":
    var server = ServerRole(settings, socket)
    server.run()
case "client":
    var client = ClientRole(settings, socket)
    client.run()
default: print("BENCH_ROLE has to be server or client")
}
