import { type ReactNode, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Notice } from '../feedback/notice.tsx'
import { Field } from '../form/field.tsx'
import { Input } from '../form/input.tsx'
import { messageOf } from '../request/problem.ts'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Names the action and the thing: `Delete “Spring menu”?` */
  title: ReactNode
  /** What will happen, and whether it can be undone. */
  consequence: ReactNode
  /** The action as a verb: "Delete entry". */
  confirmLabel: string
  /** Only for what cannot be undone: the person types this name to go on. */
  typeName?: string
  tone?: 'danger' | 'primary'
  /** The dialog stays open with the problem when this throws. */
  onConfirm: () => Promise<void> | void
}

/** Asks before an action. It starts on Cancel, so that Enter pressed by habit destroys nothing. */
export const ConfirmDialog = ({ open, onOpenChange, ...rest }: ConfirmDialogProps) =>
  open ? <OpenConfirmDialog onOpenChange={onOpenChange} {...rest} /> : null

const OpenConfirmDialog = (props: Omit<ConfirmDialogProps, 'open'>) => {
  const { title, consequence, confirmLabel, typeName, tone = 'danger', onConfirm, onOpenChange } = props
  const cancel = useRef<HTMLButtonElement>(null)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const ready = typeName === undefined || typed === typeName

  const confirm = async () => {
    if (!ready || busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await onConfirm()
      onOpenChange(false)
    } catch (error) {
      setProblem(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      role="alertdialog"
      size="sm"
      dismissible={!busy}
      title={title}
      description={consequence}
      {...(typeName === undefined ? { initialFocus: cancel } : {})}
      footer={
        <>
          <Button ref={cancel} disabled={busy} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button variant={tone} loading={busy} disabled={!ready} onClick={confirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {typeName === undefined && problem === undefined ? undefined : (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            void confirm()
          }}
        >
          {problem === undefined ? null : <Notice tone="danger">{problem}</Notice>}
          {typeName === undefined ? null : (
            <Field
              label={
                <>
                  Type <strong className="select-all font-semibold">{typeName}</strong> to confirm
                </>
              }
            >
              <Input
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            </Field>
          )}
        </form>
      )}
    </Dialog>
  )
}
