import { createHash, createHmac } from 'node:crypto'

export type AwsKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
export type AwsRequest = { method: string; url: URL; body: string; now: Date }

const REGION = 'us-east-1'
const SERVICE = 'route53'

/** The headers that sign a request to Route 53 (AWS Signature Version 4). */
export const signAws = (keys: AwsKeys, { method, url, body, now }: AwsRequest): Record<string, string> => {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${REGION}/${SERVICE}/aws4_request`
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const own = {
    'x-amz-date': time,
    ...(keys.sessionToken !== undefined && { 'x-amz-security-token': keys.sessionToken }),
  }
  const signed = Object.entries({ host: url.host, ...own })
  const names = signed.map(([name]) => name).join(';')
  const head = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = [method, url.pathname, query, head, names, sha256(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const parts = [time.slice(0, 8), REGION, SERVICE, 'aws4_request']
  const key = parts.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${keys.secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  const credential = `${keys.accessKeyId}/${scope}`
  return {
    ...own,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
