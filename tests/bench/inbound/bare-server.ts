import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { serveBench } from '../harness.ts'

/** What is left of receiving when nothing is looked at: the bytes are on the disk before the answer. */
const [folder = ''] = process.argv.slice(2)
let files = 0

const store = async (chunks: readonly Buffer[]): Promise<void> => {
  files += 1
  const handle = await open(join(folder, String(files)), 'wx')
  try {
    await handle.writev([...chunks])
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  size: 52_428_800,
  onData: (stream, _session, reply) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => void store(chunks).then(() => reply(), reply))
  },
})
server.server.on('connection', (socket: Socket) => void socket.setNoDelay(true))
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const address = server.server.address()
serveBench(address !== null && typeof address === 'object' ? address.port : 0)
