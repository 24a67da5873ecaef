// The world outside of the new server, in a network namespace of its own: DNS, a certificate authority, and someone who
// tries its ports and sends a mail. Forked by the run; answers over its channel.
import { connect } from 'node:net'
import { startFakeDns } from '../../lib/fake-dns.ts'
import { startPebble } from '../../lib/pebble.ts'
import { connectSmtp } from '../../lib/smtp-client.ts'
import type { OutsideRequest, World } from './world.ts'

const [host = '', records = '{}'] = process.argv.slice(2)

const dns = await startFakeDns({ host, port: 53 })
for (const [name, address] of Object.entries<string>(JSON.parse(records))) {
  dns.set(name, 'A', [address])
  dns.set(`${address.split('.').reverse().join('.')}.in-addr.arpa`, 'PTR', [name])
}
const pebble = await startPebble({ challengePort: 80, dns: `${host}:53`, host })

const CONNECT_MS = 2_000

const isOpen = (address: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: CONNECT_MS })
    socket.once('connect', () => resolve(true))
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false))
    socket.once('connect', () => socket.destroy())
    socket.once('timeout', () => socket.destroy())
  })

const deliver = async (address: string, recipient: string): Promise<string> => {
  const client = await connectSmtp({ host: address, port: 25 })
  await client.say('EHLO outside.example.net')
  await client.startTls()
  await client.say('EHLO outside.example.net')
  const from = 'friend@example.net'
  const message = `From: ${from}\r\nTo: ${recipient}\r\nSubject: From outside\r\nMessage-ID: <1@example.net>\r\n\r\nHello.\r\n`
  const { code, text } = await client.mail({ from, to: [recipient] }, message)
  client.close()
  return code === 250 ? '' : text
}

const answer = async (request: OutsideRequest): Promise<unknown> => {
  if (request.ask === 'ports')
    return Promise.all(request.ports.map(async (port) => ({ port, isOpen: await isOpen(request.address, port) })))
  return deliver(request.address, request.recipient)
}

process.on('message', (request: OutsideRequest) => {
  answer(request).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => pebble.close().finally(() => process.exit(0)))
const world: World = { directory: pebble.directory, ca: pebble.ca, root: await pebble.root() }
process.send?.({ result: world })
