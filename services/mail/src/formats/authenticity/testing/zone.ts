import { generateKeyPairSync } from 'node:crypto'
import { dkimSign } from 'mailauth/lib/dkim/sign.js'
import type { DnsLookup } from '../lookups.ts'

/** Names and types as `TXT example.org`; an Error is thrown as it is, a missing name does not exist. */
export type Zone = Record<string, string[] | string[][] | Error>

/** A look-up that answers from a zone and counts. */
export const zoneLookup = (zone: Zone): { lookup: DnsLookup; asked: string[] } => {
  const asked: string[] = []
  const lookup: DnsLookup = async (name, type) => {
    asked.push(`${type} ${name}`)
    const found = zone[`${type} ${name.toLowerCase()}`]
    if (found instanceof Error) throw found
    if (found === undefined) throw Object.assign(new Error(`${type} ${name}`), { code: 'ENOTFOUND' })
    return found
  }
  return { lookup, asked }
}

export const txt = (text: string): string[][] => [[text]]

export type TestKey = { readonly privatePem: string; readonly record: string }

export const newKey = (bits = 2_048): TestKey => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return {
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    record: `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`,
  }
}

export type SignOptions = {
  domain: string
  key: TestKey
  selector?: string
  algorithm?: string
  headerList?: string[]
  maxBodyLength?: number
  signTime?: Date
  expires?: Date
}

/** The message with a signature before it. */
export const signed = async (message: string, options: SignOptions): Promise<Buffer> => {
  const { domain, key, selector = 's1', algorithm = 'rsa-sha256', headerList, maxBodyLength } = options
  const { signatures, errors } = await dkimSign(Buffer.from(message), {
    canonicalization: 'relaxed/relaxed',
    signTime: options.signTime ?? new Date('2026-03-01T11:59:00Z'),
    ...(options.expires && { expires: options.expires }),
    signatureData: [
      {
        signingDomain: domain,
        selector,
        privateKey: key.privatePem,
        algorithm,
        ...(maxBodyLength !== undefined && { maxBodyLength }),
      },
    ],
    // Asked for by its types, used for none.
    signingDomain: domain,
    selector,
    privateKey: key.privatePem,
    ...(headerList && { headerList: headerList.join(':') }),
  })
  if (errors.length > 0) throw new Error('the message could not be signed', { cause: errors[0] })
  return Buffer.from(signatures + message)
}
