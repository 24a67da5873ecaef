import type { WebhookWithSecret } from '@stoa/cms-model/webhooks.ts'
import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { SecretOnceDialog } from '@stoa/ui/secret-once-dialog.tsx'

const VERIFY = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// Throws when the request is not genuine. The body must be the text as it came.
const event = webhook.verify(body, headers)`

type SigningSecretDialogProps = { webhook: WebhookWithSecret; onClose: () => void }

/** The signing secret, with the way to check signatures. */
export const SigningSecretDialog = ({ webhook, onClose }: SigningSecretDialogProps) => (
  <SecretOnceDialog
    title={`Signing secret of “${webhook.name}”`}
    secrets={[webhook.secret]}
    fileName={`webhook-secret-${webhook.secretLast4}.txt`}
    help="Your server checks with it that a request comes from here."
    onClose={onClose}
  >
    <CodeBlock label="Checking a request (Standard Webhooks)" code={VERIFY} />
  </SecretOnceDialog>
)
