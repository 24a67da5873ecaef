import type { WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { SigningSecretDialog } from '@stoa/ui/webhooks/secret-dialog.tsx'

const VERIFIER = {
  name: 'Standard Webhooks',
  code: `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// Throws if the signature is invalid. Pass the raw request body.
const event = webhook.verify(body, headers)`,
}

type WebhookSecretProps = { webhook: WebhookWithSecret; onClose: () => void }

/** The signing secret, with the way to check signatures. */
export const WebhookSecret = ({ webhook, onClose }: WebhookSecretProps) => (
  <SigningSecretDialog
    name={webhook.name}
    secret={webhook.secret}
    mark={webhook.secretLast4}
    verifiers={[VERIFIER]}
    onClose={onClose}
  />
)
