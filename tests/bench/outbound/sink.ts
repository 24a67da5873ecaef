import { createServer } from 'node:net'

/** A mail host in a process of its own that takes everything as cheaply as possible and counts it. */
let received = 0
const END = '\r\n.\r\n'

const server = createServer((socket) => {
  let isData = false
  let tail = ''
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.write('220 sink.test\r\n')
  socket.on('data', (chunk) => {
    tail += chunk.toString('latin1')
    let replies = ''
    for (;;) {
      if (isData) {
        const end = tail.indexOf(END)
        if (end === -1) {
          tail = tail.slice(-END.length + 1)
          break
        }
        tail = tail.slice(end + END.length)
        isData = false
        received += 1
        replies += '250 2.0.0 ok\r\n'
      }
      const line = tail.indexOf('\r\n')
      if (line === -1) break
      const command = tail.slice(0, 4)
      tail = tail.slice(line + 2)
      isData = command === 'DATA'
      replies += isData ? '354 go\r\n' : command === 'EHLO' ? '250-sink.test\r\n250 PIPELINING\r\n' : '250 ok\r\n'
    }
    if (replies !== '') socket.write(replies)
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address !== 'string') process.send?.({ port: address.port })
})
process.on('message', () => process.send?.({ received }))
process.on('disconnect', () => process.exit())
