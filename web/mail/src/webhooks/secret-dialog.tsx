import { SigningSecretDialog, type Verifier } from '@stoa/ui/webhooks/secret-dialog.tsx'

/** Both libraries have the same API. */
const verifier = (name: 'standardwebhooks' | 'svix'): Verifier => ({
  name,
  code: `import { Webhook } from '${name}'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// Throws if the signature is invalid. Pass the raw request body.
const event = webhook.verify(body, headers)`,
})

const VERIFIERS: readonly [Verifier, ...Verifier[]] = [
  verifier('standardwebhooks'),
  verifier('svix'),
  {
    name: 'resend',
    code: `import { Resend } from 'resend'

const resend = new Resend(process.env.RESEND_API_KEY)
// Throws if the signature is invalid. Pass the raw request body.
const event = resend.webhooks.verify({
  payload: body,
  headers: {
    id: headers['svix-id'],
    timestamp: headers['svix-timestamp'],
    signature: headers['svix-signature'],
  },
  webhookSecret: process.env.WEBHOOK_SECRET,
})`,
  },
]

/** Behind `whsec_`: the screens show these of a secret. */
const markOf = (secret: string): string => secret.slice(6, 10)

type WebhookSecretProps = { name: string; secret: string; onClose: () => void }

/** The signing secret, with the ways to check signatures. */
export const WebhookSecret = ({ name, secret, onClose }: WebhookSecretProps) => (
  <SigningSecretDialog name={name} secret={secret} mark={markOf(secret)} verifiers={VERIFIERS} onClose={onClose} />
)
