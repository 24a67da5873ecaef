import net from 'node:net'
import tls from 'node:tls'
import { EgressFailed } from './errors.ts'

/** Opens a TCP connection to one of these addresses and to nothing else: no name is resolved here. */
export const dial = (addresses: readonly string[], port: number, signal: AbortSignal): Promise<net.Socket> => {
  const socket = net.connect({
    host: addresses.length === 1 ? addresses[0]! : PINNED,
    port,
    lookup: pinned(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    noDelay: true,
  })
  return settle(socket, 'connect', 'connect', signal)
}

export type SecureOptions = {
  /** The name or address that the certificate must be for. */
  host: string
  ca: readonly string[] | undefined
  /** RFC 7301 protocol names to offer. */
  alpn?: readonly string[]
}

/** Puts TLS on an open connection and verifies the certificate for the given host. */
export const secure = (socket: net.Socket, options: SecureOptions, signal: AbortSignal): Promise<tls.TLSSocket> => {
  const isAddress = net.isIP(options.host) !== 0
  const secured = tls.connect({
    socket,
    host: options.host,
    // RFC 6066 §3: an address is never sent as a server name.
    ...(isAddress ? {} : { servername: options.host }),
    ...(options.ca ? { ca: [...tls.getCACertificates('default'), ...options.ca] } : {}),
    ...(options.alpn ? { ALPNProtocols: [...options.alpn] } : {}),
    minVersion: 'TLSv1.2',
    // Said here because an environment variable can turn the default off.
    rejectUnauthorized: true,
  })
  return settle(secured, 'secureConnect', 'tls', signal)
}

/** Never looked up: only makes node ask the pinned lookup below instead of taking a literal. */
const PINNED = 'pinned.invalid'

/** RFC 8305 §5 recommends 250 ms; longer, because far and loaded hosts must not be given up early. */
const NEXT_ADDRESS_AFTER_MS = 1_000

const pinned =
  (addresses: readonly string[]): net.LookupFunction =>
  (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: net.isIP(address) })),
    )

const settle = <S extends net.Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  reason: 'connect' | 'tls',
  signal: AbortSignal,
): Promise<S> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      socket.off(event, onOpen).off('error', onError).off('close', onClose)
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown) => {
      stop()
      socket.on('error', ignoreLateError)
      socket.destroy()
      reject(error)
    }
    const onOpen = () => {
      stop()
      resolve(socket)
    }
    const onError = (error: Error) => fail(new EgressFailed(reason, error))
    const onClose = () => fail(new EgressFailed(reason))
    const onAbort = () => fail(signal.reason)
    socket.on(event, onOpen).on('error', onError).on('close', onClose)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort)
  })

/** The failure has been reported; a destroyed socket may still complain once. */
const ignoreLateError = () => undefined
