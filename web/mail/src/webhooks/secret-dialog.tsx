import { CodeBlock } from '@stoa/ui/code-block.tsx'
import { SecretOnceDialog } from '@stoa/ui/secret-once-dialog.tsx'
import { Tabs } from '@stoa/ui/tabs.tsx'
import { useState } from 'react'

const STANDARD = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// Throws when the request is not genuine. The body must be the text as it came.
const event = webhook.verify(body, headers)`

const SVIX = `import { Webhook } from 'svix'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// Throws when the request is not genuine. The body must be the text as it came.
const event = webhook.verify(body, headers)`

const RESEND = `import { Resend } from 'resend'

const resend = new Resend(process.env.RESEND_API_KEY)
// Throws when the request is not genuine. The body must be the text as it came.
const event = resend.webhooks.verify({
  payload: body,
  headers: {
    id: headers['svix-id'],
    timestamp: headers['svix-timestamp'],
    signature: headers['svix-signature'],
  },
  webhookSecret: process.env.WEBHOOK_SECRET,
})`

type Library = 'standard' | 'svix' | 'resend'

type SigningSecretDialogProps = { name: string; secret: string; onClose: () => void }

/** The signing secret, with the ways to check signatures. */
export const SigningSecretDialog = ({ name, secret, onClose }: SigningSecretDialogProps) => {
  const [library, setLibrary] = useState<Library>('standard')
  const tab = (value: Library, label: string, code: string) => ({
    value,
    label,
    content: <CodeBlock label="Checking a request" code={code} />,
  })
  return (
    <SecretOnceDialog
      title={`Signing secret of “${name}”`}
      secrets={[secret]}
      fileName={`webhook-secret-${secret.slice(6, 10)}.txt`}
      help="Your server checks with it that a request comes from here. Put it into its environment as WEBHOOK_SECRET."
      onClose={onClose}
    >
      <Tabs
        label="Libraries"
        value={library}
        onValue={setLibrary}
        tabs={[
          tab('standard', 'standardwebhooks', STANDARD),
          tab('svix', 'svix', SVIX),
          tab('resend', 'resend', RESEND),
        ]}
      />
    </SecretOnceDialog>
  )
}
