// Receives webhooks of the CMS, checks their signatures and prints what happened:
//   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs [port]
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { WEBHOOK_SECRET = '' } = process.env
const port = Number(process.argv[2] ?? 4390)

const isGenuine = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
  const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`)
  return signatures
    .split(' ')
    .some((given) => given.length === wanted.length && timingSafeEqual(Buffer.from(given), wanted))
}

createServer(async (request, response) => {
  const body = await text(request)
  const isGood = isGenuine(request.headers, body)
  response.writeHead(isGood ? 204 : 401).end()
  if (!isGood) return console.log('refused: the signature is not right')
  const { event, data } = JSON.parse(body)
  console.log(`genuine: ${event} ${data.slug ?? data.id}`)
}).listen(port, () => console.log(`Waiting for webhooks on http://localhost:${port}`))
