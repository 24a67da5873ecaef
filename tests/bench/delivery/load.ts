import { connect } from 'node:net'
import { createPace, type Pace } from '../pace.ts'

export type Addresses = {
  requests: readonly string[]
  connections: number
  total: number
  /** Requests that leave in a second over all connections; without it, each connection sends one after the other. */
  perSecond?: number
}

/** Keep-alive connections that go through all requests, each from another place on; every answer must be a 200. */
export const loadAll = async (port: number, addresses: Addresses): Promise<void> => {
  const { requests, connections, total, perSecond } = addresses
  const pace = createPace(perSecond)
  const bytes = requests.map((request) => Buffer.from(request))
  const each = Math.ceil(total / connections)
  await Promise.all(
    Array.from({ length: connections }, (_, index) =>
      walk(port, { bytes, start: Math.floor((index * bytes.length) / connections), times: each, pace }),
    ),
  )
}

/** One answer, head and body. */
export const ask = async (port: number, request: string): Promise<Buffer> => {
  const answers: Buffer[] = []
  await walk(port, {
    bytes: [Buffer.from(request)],
    start: 0,
    times: 1,
    pace: createPace(),
    onAnswer: (answer) => answers.push(answer),
  })
  return answers[0] ?? Buffer.alloc(0)
}

type Walk = {
  bytes: readonly Buffer[]
  start: number
  times: number
  pace: Pace
  onAnswer?: (answer: Buffer) => void
}

const walk = (port: number, { bytes, start, times, pace, onAnswer }: Walk): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let sent = 0
    let chunks: Buffer[] = []
    let seen = 0
    let size = 0
    const next = async () => {
      chunks = []
      seen = 0
      size = 0
      if (sent === times) {
        socket.destroy()
        resolve()
        return
      }
      await pace()
      socket.write(bytes[(start + sent) % bytes.length] ?? '')
      sent += 1
    }
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed the connection')))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      seen += chunk.length
      if (size === 0) {
        const head = Buffer.concat(chunks)
        chunks = [head]
        size = sizeOf(head)
      }
      if (size === 0 || seen < size) return
      if (seen > size) return reject(new Error(`an answer had ${seen} bytes instead of ${size}`))
      onAnswer?.(Buffer.concat(chunks))
      void next()
    })
    void next()
  })

/** The bytes of a whole answer; 0 while its head is not complete. */
const sizeOf = (start: Buffer): number => {
  const end = start.indexOf('\r\n\r\n')
  if (end === -1) return 0
  const head = start.toString('latin1', 0, end)
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) throw new Error(`not the answer of a bench: ${head}`)
  return end + 4 + Number(length)
}
