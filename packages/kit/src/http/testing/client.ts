import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'

export type Answer = { status: number; headers: IncomingHttpHeaders; text: string; json: Record<string, unknown> }
export type Call = { method?: string; path?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer }

/** One request on its own connection, with exactly these headers. */
export const call = (port: number, { method = 'GET', path = '/', headers = {}, body }: Call): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = httpRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

/** A JSON write with a credential. */
export const writeJson = (port: number, path: string, body: string | Buffer, more: Call = {}): Promise<Answer> =>
  call(port, {
    method: 'POST',
    path,
    body,
    ...more,
    headers: { authorization: 'Bearer writer', 'content-type': 'application/json', ...more.headers },
  })

/** What came back on a bare connection, and whether the server closed it within the time given. */
export type Exchange = { text: string; closed: boolean }

/** Sends bytes as they are and listens until the server closes, or until the time is over. */
export const exchange = async (port: number, bytes: string | Buffer, listenMs = 2_000): Promise<Exchange> => {
  const socket = await open(port)
  socket.write(bytes)
  return listen(socket, listenMs)
}

export const listen = (socket: Socket, listenMs = 2_000): Promise<Exchange> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed })
    }
    const timer = setTimeout(() => finish(false), listenMs)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () => finish(true))
  })

/** A connection that survives a reset by the server. */
export const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => socket.destroy())
      resolve(socket)
    })
  })

/** The status codes of all answers in a stream of bytes. */
export const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))

const jsonOf = (text: string): Record<string, unknown> => {
  if (!text.startsWith('{')) return {}
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
