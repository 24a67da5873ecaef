import { CAPABILITIES } from '../method.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = any
export type Call = readonly [name: string, args: Record<string, unknown>, callId?: string]
export type HttpAnswer = { status: number; headers: Headers; text: string; body: Answer }

/** A JMAP client. */
export type JmapClient = {
  readonly headers: Readonly<Record<string, string>>
  /** Any request; `path` may be an absolute address. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  session(): Promise<Answer>
  /** Posts anything to the API. */
  post(body: unknown, contentType?: string): Promise<HttpAnswer>
  /** Runs method calls with all capabilities; gives the method responses. */
  call(...calls: Call[]): Promise<[name: string, args: Answer, callId: string][]>
  /** Runs one method; gives its arguments, and throws when it answers with an error. */
  one(name: string, args: Record<string, unknown>): Promise<Answer>
  /** The type of the error that one method answers with. */
  error(name: string, args: Record<string, unknown>): Promise<string>
  upload(accountId: string, bytes: string | Uint8Array, type?: string): Promise<Answer>
}

const USING = Object.values(CAPABILITIES)

export const createClient = (url: string, headers: Record<string, string>): JmapClient => {
  const request: JmapClient['fetch'] = (path, init = {}) =>
    fetch(new URL(path, url), { ...init, headers: { ...headers, ...Object.fromEntries(new Headers(init.headers)) } })
  const post: JmapClient['post'] = async (body, contentType = 'application/json') => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const answer = await request('/jmap', { method: 'POST', body: sent, headers: { 'content-type': contentType } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) }
  }
  const call: JmapClient['call'] = async (...calls) => {
    const methodCalls = calls.map(([name, args, id], index) => [name, args, id ?? `c${index}`])
    const answer = await post({ using: USING, methodCalls })
    if (answer.status !== 200) throw new Error(`JMAP answered ${answer.status}: ${answer.text}`)
    return answer.body.methodResponses
  }
  const single = async (name: string, args: Record<string, unknown>) => {
    const [response] = await call([name, args])
    if (!response) throw new Error(`${name} was not answered`)
    return response
  }
  return {
    headers,
    fetch: request,
    session: async () => (await request('/.well-known/jmap')).json(),
    post,
    call,
    async one(name, args) {
      const [answered, answer] = await single(name, args)
      if (answered === 'error') throw new Error(`${name} answered ${JSON.stringify(answer)}`)
      return answer
    },
    async error(name, args) {
      const [answered, answer] = await single(name, args)
      return answered === 'error' ? answer.type : `no error: ${JSON.stringify(answer)}`
    },
    async upload(accountId, bytes, type = 'application/octet-stream') {
      const body = typeof bytes === 'string' ? bytes : Buffer.from(bytes)
      const answer = await request(`/jmap/upload/${accountId}`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      })
      if (answer.status !== 201) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`)
      return answer.json()
    },
  }
}
