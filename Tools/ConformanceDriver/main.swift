// The ATT and GATT machines behind the driver protocol of foreign test suites: frames on standard input and output.

var driver = Driver()
var input = FrameReader()
while let frame = input.next() {
    FrameWriter.write(driver.handle(frame))
}
