import { WebSocket } from 'ws'
import type { Ask, Report } from './messages.ts'

/** Idle websites: each listens to `site`, and reports when it received something. */
const [url = '', key = '', wanted = '0', firstAddress = '2'] = process.argv.slice(2)
const COUNT = Number(wanted)
/** Handshakes under way at a time. */
const AT_ONCE = 50
/** A loopback address has about 28,000 ports to connect from; half of them are enough for each. */
const PER_ADDRESS = 10_000

const report = (message: Report) => process.send?.(message)
const sockets: WebSocket[] = []
let received = 0
let first = 0

const onEvent = () => {
  received += 1
  if (received === 1) first = Date.now()
  if (received === COUNT) report({ type: 'received', first, last: Date.now() })
}

const open = async (index: number): Promise<void> => {
  const answer = await fetch(`${url}/realtime/delivery/ticket`, { method: 'POST', headers: { 'x-api-key': key } })
  if (!answer.ok) throw new Error(`a ticket was refused with ${answer.status}`)
  const { ticket }: { ticket: string } = await answer.json()
  const localAddress = `127.0.0.${Number(firstAddress) + Math.floor(index / PER_ADDRESS)}`
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime?ticket=${ticket}`, {
    localAddress,
    perMessageDeflate: false,
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', (code) => reject(new Error(`closed with ${code}`)))
    socket.on('message', (data) => {
      const { event } = JSON.parse(data.toString())
      if (event === 'ready') socket.send('{"action":"subscribe","topic":"site"}')
      else if (event === 'subscribed') resolve()
      else onEvent()
    })
  })
  sockets.push(socket)
}

const started = performance.now()
let next = 0
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (next < COUNT) {
      next += 1
      await open(next - 1)
    }
  }),
)
process.on('message', (ask: Ask) => {
  if (ask !== 'expect') return
  received = 0
  report({ type: 'expecting' })
})
process.on('disconnect', () => process.exit())
report({ type: 'open', count: sockets.length, seconds: (performance.now() - started) / 1000 })
