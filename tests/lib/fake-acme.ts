import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { bitString, ECDSA_WITH_SHA256, integer, oid, sequence, setOf, tagged } from '@stoa/kit/crypto/der.ts'
import { subjectAltName } from '@stoa/kit/crypto/self-signed.ts'
import { selfSignedCertificate } from './certificate.ts'

/** The faulty response to send in place of the right one. */
export type Trouble =
  | { status: number; type?: string; detail?: string; headers?: Record<string, string> }
  | { body: string }
  | 'cut'
  | 'hang'

export type Resource =
  | 'directory'
  | 'nonce'
  | 'account'
  | 'order'
  | 'authorization'
  | 'challenge'
  | 'finalize'
  | 'certificate'

export type FakeAcme = {
  readonly directory: string
  /** To be trusted for its https. */
  readonly ca: string
  /** The root certificate that clients trust. */
  readonly root: string
  /** Requests that were wrong. */
  readonly problems: string[]
  /** Names that were ordered, oldest first. */
  readonly orders: string[]
  /** Every request: the resource it was for. */
  readonly requests: Resource[]
  /** The next requests for this resource are answered so, one after the other. */
  trouble(resource: Resource, ...troubles: Trouble[]): void
  /** Forgets its accounts. */
  forgetAccounts(): void
  close(): Promise<void>
}

export type FakeAcmeOptions = {
  /** The port on which names answer their challenges. */
  challengePort: () => number
  /** When certificates begin and end; from now for 90 days if absent. */
  validity?: () => { from: Date; to: Date }
}

type Order = {
  name: string
  status: 'pending' | 'ready' | 'valid'
  token: string
  account: string
  authorized: string
  cert: string
}
type Signed = { head: { alg: string; nonce: string; url: string; kid?: string; jwk?: JsonWebKey }; payload: unknown }

const DAY_MS = 86_400_000

/** A certificate authority (RFC 8555) that checks every signature, nonce and request, and asks for the challenge itself. */
export const startFakeAcme = async (options: FakeAcmeOptions): Promise<FakeAcme> => {
  const own = selfSignedCertificate(['127.0.0.1'])
  const authority = createAuthority()
  const problems: string[] = []
  const ordered: string[] = []
  const requests: Resource[] = []
  const nonces = new Set<string>()
  const accounts = new Map<string, JsonWebKey>()
  const orders = new Map<string, Order>()
  const troubles = new Map<Resource, Trouble[]>()
  const stopped = new AbortController()
  let count = 0

  const fail = (response: ServerResponse, status: number, type: string, detail: string): void => {
    if (type !== 'badNonce' && type !== 'accountDoesNotExist' && type !== 'incorrectResponse')
      problems.push(`${type}: ${detail}`)
    answer(response, status, { type: `urn:ietf:params:acme:error:${type}`, detail }, {}, 'application/problem+json')
  }
  const answer = (
    response: ServerResponse,
    status: number,
    body: object | string,
    headers: Record<string, string> = {},
    type = 'application/json',
  ): void => {
    const nonce = randomBytes(16).toString('base64url')
    nonces.add(nonce)
    response.writeHead(status, { 'content-type': type, 'replay-nonce': nonce, ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  /** The request if it is signed as it must be; otherwise it is answered. */
  const open = async (request: IncomingMessage, response: ServerResponse): Promise<Signed | null> => {
    const text = await bodyOf(request)
    if (request.headers['content-type'] !== 'application/jose+json') return refuse('malformed', 'no jose+json')
    const jws = JSON.parse(text)
    const head: Signed['head'] = JSON.parse(Buffer.from(jws.protected, 'base64url').toString())
    if (head.url !== base + request.url) return refuse('unauthorized', `signed for ${head.url}`)
    if (!nonces.delete(head.nonce)) return refuse('badNonce', 'the nonce is unknown')
    if ((head.kid === undefined) === (head.jwk === undefined)) return refuse('malformed', 'kid or jwk')
    const jwk = head.jwk ?? accounts.get(head.kid ?? '')
    if (!jwk) return refuse('accountDoesNotExist', 'the account is unknown')
    const isGood =
      head.alg === 'ES256' &&
      verify(
        'sha256',
        Buffer.from(`${jws.protected}.${jws.payload}`),
        { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        Buffer.from(jws.signature, 'base64url'),
      )
    if (!isGood) return refuse('malformed', 'the signature is wrong')
    const payload = jws.payload === '' ? null : JSON.parse(Buffer.from(jws.payload, 'base64url').toString())
    return { head, payload }

    function refuse(type: string, detail: string): null {
      fail(response, type === 'accountDoesNotExist' ? 401 : 400, type, detail)
      return null
    }
  }
  const orderJson = (id: string, { name, status, cert }: Order) => ({
    status,
    identifiers: [{ type: 'dns', value: name }],
    authorizations: [`${base}/authorization/${id}`],
    finalize: `${base}/finalize/${id}`,
    ...(cert !== '' && { certificate: `${base}/certificate/${id}` }),
  })
  const authorizationJson = (id: string, { name, token, authorized }: Order) => ({
    status: authorized === '' ? 'pending' : authorized === 'valid' ? 'valid' : 'invalid',
    identifier: { type: 'dns', value: name },
    challenges: [
      { type: 'dns-01', url: `${base}/challenge/${id}`, token, status: 'pending' },
      {
        type: 'http-01',
        url: `${base}/challenge/${id}`,
        token,
        status: 'pending',
        ...(authorized !== '' && authorized !== 'valid' && { error: { detail: authorized } }),
      },
    ],
  })

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, resource = '', id = ''] = (request.url ?? '').split('/')
    requests.push(resource as Resource)
    const trouble = troubles.get(resource as Resource)?.shift()
    if (trouble === 'cut') return void response.socket?.destroy()
    if (trouble === 'hang') return sleep(60_000, undefined, { signal: stopped.signal }).catch(() => undefined)
    if (trouble && 'body' in trouble) return answer(response, 200, trouble.body)
    if (trouble) {
      const { status, type = 'serverInternal', detail = 'trouble', headers = {} } = trouble
      return answer(
        response,
        status,
        { type: `urn:ietf:params:acme:error:${type}`, detail },
        headers,
        'application/problem+json',
      )
    }
    if (resource === 'directory')
      return answer(response, 200, {
        newNonce: `${base}/nonce`,
        newAccount: `${base}/account`,
        newOrder: `${base}/order`,
      })
    if (resource === 'nonce') return answer(response, 200, '')
    const signed = await open(request, response)
    if (!signed) return
    const { head, payload } = signed
    if (resource === 'account') {
      if (!head.jwk || (payload as { termsOfServiceAgreed?: boolean }).termsOfServiceAgreed !== true)
        return fail(response, 400, 'malformed', 'no agreement')
      const url = `${base}/account/${thumbprint(head.jwk)}`
      accounts.set(url, head.jwk)
      return answer(response, 201, { status: 'valid' }, { location: url })
    }
    if (resource === 'order' && id === '') {
      const [identifier] = (payload as { identifiers: { type: string; value: string }[] }).identifiers
      count += 1
      const made = String(count)
      const token = randomBytes(32).toString('base64url')
      const order: Order = {
        name: identifier?.value ?? '',
        status: 'pending',
        token,
        account: head.kid ?? '',
        authorized: '',
        cert: '',
      }
      orders.set(made, order)
      ordered.push(order.name)
      return answer(response, 201, orderJson(made, order), { location: `${base}/order/${made}` })
    }
    const order = orders.get(id)
    if (!order || order.account !== head.kid) return fail(response, 404, 'malformed', `no ${resource} ${id}`)
    if (resource === 'order' && payload === null) return answer(response, 200, orderJson(id, order))
    if (resource === 'authorization' && payload === null) return answer(response, 200, authorizationJson(id, order))
    if (resource === 'challenge' && payload !== null) {
      const expected = `${order.token}.${thumbprint(accounts.get(order.account) ?? {})}`
      const found = await look(options.challengePort(), order)
      order.authorized = found === expected ? 'valid' : `the answer for ${order.name} is wrong`
      if (order.authorized === 'valid') order.status = 'ready'
      return answer(response, 200, {
        type: 'http-01',
        status: 'processing',
        url: `${base}/challenge/${id}`,
        token: order.token,
      })
    }
    if (resource === 'finalize' && order.status === 'ready') {
      const request = Buffer.from((payload as { csr: string }).csr, 'base64url')
      const now = Date.now()
      const validity = options.validity?.() ?? { from: new Date(now - 1_000), to: new Date(now + 90 * DAY_MS) }
      const cert = authority.certify(request, order.name, validity)
      if (cert === null) return fail(response, 400, 'badCSR', 'the request is not signed with its key')
      Object.assign(order, { status: 'valid', cert })
      return answer(response, 200, orderJson(id, order))
    }
    if (resource === 'certificate' && order.cert !== '')
      return answer(response, 200, order.cert + authority.root, {}, 'application/pem-certificate-chain')
    fail(response, 403, 'orderNotReady', `${resource} ${order.status}`)
  }
  const server = createServer(own, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      problems.push(String(error))
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the authority has no port')
  const base = `https://127.0.0.1:${address.port}`
  return {
    directory: `${base}/directory`,
    ca: own.cert,
    root: authority.root,
    problems,
    orders: ordered,
    requests,
    trouble: (resource, ...next) => void troubles.set(resource, next),
    forgetAccounts: () => accounts.clear(),
    close() {
      stopped.abort()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** RFC 7638 */
const thumbprint = ({ crv, kty, x, y }: JsonWebKey): string =>
  createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')

/** Requests the challenge of a name, as the CA does. */
const look = (port: number, { name, token }: Order): Promise<string> =>
  new Promise((resolve) => {
    const path = `/.well-known/acme-challenge/${token}`
    const asked = httpRequest({ host: '127.0.0.1', port, path, headers: { host: name } }, (response) => {
      bodyOf(response).then(
        (text) => resolve(response.statusCode === 200 ? text : ''),
        () => resolve(''),
      )
    })
    asked.on('error', () => resolve('')).end()
  })

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`

const utcTime = (at: Date): Buffer =>
  tagged(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

/** A root of its own, and certificates that it signs. */
const createAuthority = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const name = sequence(setOf(sequence(oid('550403'), tagged(0x0c, Buffer.from('Fake authority')))))
  const isAuthority = sequence(oid('551d13'), tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))))
  const certificate = (
    subject: Buffer,
    key: Buffer,
    extension: Buffer,
    { from, to }: { from: Date; to: Date },
  ): string => {
    const body = sequence(
      tagged(0xa0, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      sequence(ECDSA_WITH_SHA256),
      name,
      sequence(utcTime(from), utcTime(to)),
      subject,
      key,
      tagged(0xa3, sequence(extension)),
    )
    return pem(sequence(body, sequence(ECDSA_WITH_SHA256), bitString(sign('sha256', body, privateKey))))
  }
  const years = { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2049-01-01T00:00:00Z') }
  return {
    root: certificate(name, publicKey.export({ type: 'spki', format: 'der' }), isAuthority, years),
    /** Null unless the request is for this one name and signed with its own key. */
    certify(request: Buffer, host: string, validity: { from: Date; to: Date }): string | null {
      const [body, , signature] = partsOf(contentOf(request))
      const [, , key] = partsOf(contentOf(body ?? Buffer.alloc(0)))
      if (!body || !key || !signature) return null
      const spki = createPublicKey({ key, format: 'der', type: 'spki' })
      const extension = subjectAltName([host])
      if (!body.includes(extension) || !verify('sha256', body, spki, contentOf(signature).subarray(1))) return null
      return certificate(sequence(), key, extension, validity)
    },
  }
}

/** The offset and length of the content of a DER value. */
const spanOf = (der: Buffer): { start: number; length: number } => {
  const first = der[1] ?? 0
  if (first < 0x80) return { start: 2, length: first }
  const size = first & 0x7f
  return { start: 2 + size, length: der.readUIntBE(2, size) }
}
const contentOf = (der: Buffer): Buffer => {
  const { start, length } = spanOf(der)
  return der.subarray(start, start + length)
}
const partsOf = (content: Buffer): Buffer[] => {
  const parts: Buffer[] = []
  for (let rest = content; rest.length > 0; ) {
    const { start, length } = spanOf(rest)
    parts.push(rest.subarray(0, start + length))
    rest = rest.subarray(start + length)
  }
  return parts
}
