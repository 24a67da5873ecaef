import { Download, KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { saveFile } from '../browser/save-file.ts'
import { Button } from '../button/button.tsx'
import { CopyButton } from '../button/copy-button.tsx'
import { Notice } from '../feedback/notice.tsx'
import { CheckboxField } from '../form/checkbox.tsx'
import { Dialog } from './dialog.tsx'

type SecretOnceDialogProps = {
  /** What was made: "Delivery key “Website”". */
  title: string
  /** The secret, or several such as recovery codes. */
  secrets: readonly string[]
  fileName: string
  /** Where it belongs: "Put it into your website's environment." */
  help?: string
  /** How it is used, below the secret. */
  children?: ReactNode
  onClose: () => void
}

/** Shows a secret the only time it can be shown. It closes only by the button, once the person says that it is stored. */
export const SecretOnceDialog = ({ title, secrets, fileName, help, children, onClose }: SecretOnceDialogProps) => {
  const [stored, setStored] = useState(false)
  const text = secrets.join('\n')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      dismissible={false}
      title={title}
      {...(children === undefined ? {} : { size: 'lg' as const })}
      description={help}
      footer={
        <Button variant="primary" disabled={!stored} onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warning" title="You won't see this again">
          Store it somewhere safe. If you lose it, create a new one.
        </Notice>
        <div className="flex items-start gap-2.5 rounded-lg border border-line bg-sunken px-3 py-2.5">
          <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0 text-faint" />
          <pre className="min-w-0 flex-1 select-all whitespace-pre-wrap break-all font-mono text-ink text-xs leading-text">
            {text}
          </pre>
        </div>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={text} size="md" />
          <Button icon={<Download />} onClick={() => saveFile(fileName, `${text}\n`)}>
            Download
          </Button>
        </div>
        {children}
        <CheckboxField
          checked={stored}
          onChecked={setStored}
          label={secrets.length === 1 ? "I've stored it in a safe place" : "I've stored them in a safe place"}
        />
      </div>
    </Dialog>
  )
}
