// A whole host on a stream of HCI packets, for the load generator `Benchmarks/Peers/peerdrv.c`.
// BENCH_ROLE (server, client, scan), BENCH_FD or BENCH_PORT, BENCH_MTU, BENCH_CHARS, BENCH_N, BENCH_RUNS, BENCH_ONLY and
// BENCH_MULTI say what to do, BENCH_STORED=1 that the server keeps its values itself.

let settings = Settings()
switch settings.role {
case "server":
    var server = ServerRole(settings)
    server.run()
case "client":
    var client = ClientRole(settings)
    client.run()
case "scan":
    var scanner = ScanRole(settings)
    scanner.run()
default: print("BENCH_ROLE has to be server, client or scan")
}
