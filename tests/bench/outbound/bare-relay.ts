import { createHash, createPrivateKey, sign } from 'node:crypto'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SMTPServer } from 'smtp-server'
import { selfSignedCertificate } from '../../lib/certificate.ts'
import { serveBench } from '../harness.ts'
import { openClient } from '../smtp-load.ts'

/**
 * What is left of relaying when nothing is checked, kept or recorded: the bytes are on the disk before the answer, then signed
 * with RSA and handed on.
 */
const [folder = '', keyPem = '', sinkPort = ''] = process.argv.slice(2)
const key = createPrivateKey(keyPem)
const signAsync = promisify(sign)
const peers: ReturnType<typeof openClient>[] = []
let files = 0

const store = async (message: Buffer): Promise<void> => {
  files += 1
  const handle = await open(join(folder, `relay-${files}`), 'wx')
  try {
    await handle.write(message)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const relay = async (message: Buffer): Promise<void> => {
  const end = message.indexOf('\r\n\r\n') + 4
  const hash = createHash('sha256').update(message.subarray(end)).digest('base64')
  const header = message.toString('latin1', 0, end)
  const fields = `DKIM-Signature: v=1; a=rsa-sha256; d=ours.test; s=s1; h=from; bh=${hash}; b=`
  const signature = await signAsync('sha256', Buffer.from(header + fields, 'latin1'), key)
  const peer = await (peers.pop() ?? openClient(Number(sinkPort), undefined))
  const envelope = { from: 'ann@ours.test', to: 'someone@d.test' }
  await peer.send(envelope, Buffer.concat([Buffer.from(`${fields}${signature.toString('base64')}\r\n`), message]))
  peers.push(Promise.resolve(peer))
}

const server = new SMTPServer({
  ...selfSignedCertificate(['localhost']),
  secure: true,
  disableReverseLookup: true,
  logger: false,
  size: 52_428_800,
  onAuth: ({ username }, _session, reply) => reply(null, { user: username }),
  onData: (stream, _session, reply) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const message = Buffer.concat(chunks)
      void store(message).then(() => reply(), reply)
      void relay(message)
    })
  },
})
server.server.on('connection', (socket: Socket) => void socket.setNoDelay(true))
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
const address = server.server.address()
serveBench(address !== null && typeof address === 'object' ? address.port : 0)
