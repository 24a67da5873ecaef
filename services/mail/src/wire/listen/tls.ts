import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type CertificateSource, createContexts } from '@stoa/kit/tls/source.ts'

export type TlsServer = (socket: Socket) => Promise<TLSSocket>

/** Begins TLS on connections, with the certificate of the moment for the name that the client asks for. */
export const createTls = (certificate: CertificateSource, handshakeMs: number): TlsServer => {
  const { current, SNICallback } = createContexts(certificate)
  return (socket) => {
    const options = { isServer: true, secureContext: current(), SNICallback, requestCert: false }
    return handshake(new TLSSocket(socket, options), handshakeMs)
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
      // Readers see its end; without a listener an error would end the process.
      secured.on('error', () => undefined)
      resolve(secured)
    })
  })
