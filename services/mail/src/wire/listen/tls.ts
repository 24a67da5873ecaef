import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type CertificateSource, createContexts } from '@stoa/kit/tls/source.ts'

export type TlsServer = (socket: Socket) => Promise<TLSSocket>

type HandshakeOptions = {
  handshakeMs: number
  /** Ends handshakes that aren't complete: the client would only hear that the server is stopping. */
  stopping: AbortSignal
}

/** Begins TLS on connections, with the certificate of the moment for the name that the client asks for. */
export const createTls = (certificate: CertificateSource, ends: HandshakeOptions): TlsServer => {
  const { current, SNICallback } = createContexts(certificate)
  return (socket) => {
    const options = { isServer: true, secureContext: current(), SNICallback, requestCert: false }
    return handshake(new TLSSocket(socket, options), ends)
  }
}

export const describeTls = (socket: TLSSocket): { protocol: string; cipher: string } => ({
  protocol: socket.getProtocol() ?? '',
  cipher: socket.getCipher().name,
})

const handshake = (secured: TLSSocket, { handshakeMs, stopping }: HandshakeOptions): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', onStop)
    }
    const fail = (error: Error) => {
      settle()
      secured.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('the TLS handshake took too long')), handshakeMs)
    const onStop = () => fail(new Error('stopped during the TLS handshake'))
    const onClose = () => fail(new Error('closed during the TLS handshake'))
    stopping.addEventListener('abort', onStop)
    secured.on('error', fail)
    secured.once('close', onClose)
    // A client that leaves: nothing else closes a connection that may be half open.
    secured.once('end', onClose)
    secured.once('secure', () => {
      settle()
      secured.off('error', fail)
      secured.off('close', onClose)
      secured.off('end', onClose)
      // Readers see its end; without a listener an error would end the process.
      secured.on('error', () => undefined)
      resolve(secured)
    })
  })
