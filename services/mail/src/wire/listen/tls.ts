import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'

/** The certificate in use; another one may take its place at any time. */
export type CertificateSource = {
  current(): { key: string | Buffer; cert: string | Buffer }
  onChange(listener: () => void): unknown
}

export type TlsServer = (socket: Socket) => Promise<TLSSocket>

/** Begins TLS on connections, with the certificate of the moment. */
export const createTls = (certificate: CertificateSource, handshakeMs: number): TlsServer => {
  let context: SecureContext | null = null
  certificate.onChange(() => {
    context = null
  })
  return (socket) => {
    // RFC 8996: nothing below 1.2.
    context ??= createSecureContext({ ...certificate.current(), minVersion: 'TLSv1.2' })
    return handshake(new TLSSocket(socket, { isServer: true, secureContext: context, requestCert: false }), handshakeMs)
  }
}

export const describeTls = (socket: TLSSocket): { protocol: string; cipher: string } => ({
  protocol: socket.getProtocol() ?? '',
  cipher: socket.getCipher().name,
})

const handshake = (secured: TLSSocket, ms: number): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      clearTimeout(timer)
      secured.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('the TLS handshake took too long')), ms)
    const onClose = () => fail(new Error('closed during the TLS handshake'))
    secured.on('error', fail)
    secured.once('close', onClose)
    secured.once('secure', () => {
      clearTimeout(timer)
      secured.off('error', fail)
      secured.off('close', onClose)
      // Whoever reads it sees its end; without a listener an error would end the process.
      secured.on('error', () => undefined)
      resolve(secured)
    })
  })
