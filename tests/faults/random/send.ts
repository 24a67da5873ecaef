import http from 'node:http'
import { connect } from 'node:net'

export type RandomRequest = {
  method: string
  /** Path and query as they go over the line. */
  path: string
  headers: Record<string, string>
  body: Buffer | null
  /** The route that it was made for, and the group that this belongs to. */
  route: string
  group: string
}

export type RandomAnswer = {
  /** `cut`: the connection ended without an answer. `hang`: nothing came in time. */
  status: number | 'cut' | 'hang'
  type: string
  text: string
}

const DEADLINE_MS = 40_000
/** Enough to judge by; a picture or a page need not be kept. */
const KEPT_BYTES = 256 * 1024

export const createSender = (url: string) => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port } = new URL(url)
  return {
    async send(request: RandomRequest): Promise<RandomAnswer> {
      const answer = await exchange({ hostname, port, agent }, request)
      // A kept connection that the server closed in the same moment says nothing about the request.
      return answer.status === 'cut' ? exchange({ hostname, port, agent: false }, request) : answer
    },
    /** Bytes that need not be HTTP at all; gives the first line of the answer. */
    sendRaw: (bytes: Buffer): Promise<string> => exchangeRaw({ host: hostname, port: Number(port) }, bytes),
    close: () => agent.destroy(),
  }
}

type Line = { hostname: string; port: string; agent: http.Agent | false }

const exchange = (line: Line, { method, path, headers, body }: RandomRequest): Promise<RandomAnswer> =>
  new Promise((resolve) => {
    const end = (status: RandomAnswer['status'], type = '', text = '') => resolve({ status, type, text })
    const request = http.request({ ...line, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      let kept = 0
      response.on('data', (chunk: Buffer) => {
        if (kept < KEPT_BYTES) chunks.push(chunk)
        kept += chunk.length
      })
      const done = () =>
        end(response.statusCode ?? 0, response.headers['content-type'] ?? '', Buffer.concat(chunks).toString())
      response.on('end', done)
      response.on('error', done)
    })
    request.setTimeout(DEADLINE_MS, () => {
      end('hang')
      request.destroy()
    })
    request.on('error', () => end('cut'))
    request.end(body ?? undefined)
  })

const exchangeRaw = (target: { host: string; port: number }, bytes: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(target, () => socket.end(bytes))
    let text = ''
    socket.setTimeout(3_000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1').slice(0, 200)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''))
  })
