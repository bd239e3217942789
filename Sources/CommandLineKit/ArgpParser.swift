import CArgp
import Glibc

/// Parses one command's arguments with argp of the C library, which also prints help, usage and its own error texts.
struct ArgpParser {
    /// What the help calls the program, `ravning radio`.
    let invocation: String
    let documentation: String
    let argumentsDocumentation: String
    let options: [Option]
    /// Everything from the first argument on is left alone: it belongs to a subcommand.
    let stopsAtFirstArgument: Bool

    private final class State {
        let options: [Option]
        let stops: Bool
        var parsed = ParsedOptions()
        init(options: [Option], stops: Bool) {
            self.options = options
            self.stops = stops
        }
    }

    private static func key(_ index: Int, _ option: Option) -> Int32 {
        option.short?.asciiValue.map(Int32.init) ?? Int32(1000 + index)
    }

    /// Ends the process with exit code 64 where argp finds fault, and with 0 after `--help`.
    func parse(_ words: [String]) -> ParsedOptions {
        let state = State(options: options, stops: stopsAtFirstArgument)
        // argp keeps pointers to all strings while it runs.
        var strings: [UnsafeMutablePointer<CChar>] = []
        defer { strings.forEach { free($0) } }
        func keep(_ text: String) -> UnsafeMutablePointer<CChar>? {
            guard let copy = strdup(text) else { return nil }
            strings.append(copy)
            return copy
        }
        var table = options.enumerated().map { index, option in
            argp_option(
                name: keep(option.name), key: Self.key(index, option), arg: option.value.flatMap(keep), flags: 0,
                doc: keep(option.help), group: 0)
        }
        table.append(argp_option())
        var arguments: [UnsafeMutablePointer<CChar>?] = ([invocation] + words).map(keep)
        let count = Int32(arguments.count)
        arguments.append(nil)
        let (argumentsHelp, help) = (keep(argumentsDocumentation), keep(documentation))
        let result = table.withUnsafeMutableBufferPointer { table in
            var description = argp(
                options: table.baseAddress, parser: Self.takeOne, args_doc: argumentsHelp, doc: help, children: nil,
                help_filter: nil, argp_domain: nil)
            return argp_parse(
                &description, count, &arguments, UInt32(stopsAtFirstArgument ? ARGP_IN_ORDER : 0), nil,
                Unmanaged.passUnretained(state).toOpaque())
        }
        if result != 0 { exit(64) }
        return state.parsed
    }

    private static let takeOne: argp_parser_t = { key, argument, context in
        guard let context, let input = context.pointee.input else { return cargp_error_unknown() }
        let state = Unmanaged<State>.fromOpaque(input).takeUnretainedValue()
        if key == cargp_key_argument() {
            if state.stops {
                let first = Int(context.pointee.next) - 1
                let words = (first..<Int(context.pointee.argc)).compactMap { context.pointee.argv[$0] }
                state.parsed.arguments = words.map { String(cString: $0) }
                context.pointee.next = context.pointee.argc
            } else if let argument {
                state.parsed.arguments.append(String(cString: argument))
            }
            return 0
        }
        for (index, option) in state.options.enumerated() where ArgpParser.key(index, option) == key {
            if option.value == nil {
                state.parsed.flags.insert(option.name)
            } else if let argument {
                state.parsed.values[option.name] = String(cString: argument)
            }
            return 0
        }
        return cargp_error_unknown()
    }
}
