/** DER (X.690), as far as certificates and requests for them need it: no openssl has to be installed. */
export const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts)
export const setOf = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts)
export const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes)
export const bitString = (bytes: Buffer): Buffer => tagged(0x03, Buffer.from([0]), bytes)
export const octetString = (content: Buffer): Buffer => tagged(0x04, content)
export const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'))

export const ECDSA_WITH_SHA256 = oid('2a8648ce3d040302')
