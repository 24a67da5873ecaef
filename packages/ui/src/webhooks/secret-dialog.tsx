import { useState } from 'react'
import { CodeBlock } from '../display/code-block.tsx'
import { SecretOnceDialog } from '../layer/secret-once-dialog.tsx'
import { Tabs } from '../navigation/tabs.tsx'

/** A library that checks signatures, and how. */
export type Verifier = { name: string; code: string }

type SigningSecretDialogProps = {
  name: string
  secret: string
  /** The letters of the secret by which the panel names it later. */
  mark: string
  verifiers: readonly [Verifier, ...Verifier[]]
  onClose: () => void
}

/** The signing secret, with the ways to check signatures. */
export const SigningSecretDialog = ({ name, secret, mark, verifiers, onClose }: SigningSecretDialogProps) => (
  <SecretOnceDialog
    title={`Signing secret of “${name}”`}
    secrets={[secret]}
    fileName={`webhook-secret-${mark}.txt`}
    help="Your server uses it to verify that requests come from here. Add it to its environment as WEBHOOK_SECRET."
    onClose={onClose}
  >
    <Verifiers verifiers={verifiers} />
  </SecretOnceDialog>
)

const Verifiers = ({ verifiers }: Pick<SigningSecretDialogProps, 'verifiers'>) => {
  const [first, ...others] = verifiers
  const [chosen, setChosen] = useState(first.name)
  if (others.length === 0) return <CodeBlock label={`Verify a request (${first.name})`} code={first.code} />
  return (
    <Tabs
      label="Libraries"
      value={chosen}
      onValue={setChosen}
      tabs={verifiers.map(({ name, code }) => ({
        value: name,
        label: name,
        content: <CodeBlock label="Verify a request" code={code} />,
      }))}
    />
  )
}
