import { type ReactNode, useId, useState } from 'react'
import { Button } from '../button/button.tsx'
import { Form } from '../form/form.tsx'
import type { Form as FormState } from '../form/use-form.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'

type FormDialogProps<V extends object> = {
  title: ReactNode
  description?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  form: FormState<V>
  /** The action: "Create key". */
  submitLabel: string
  /** Whether it can be pressed before anything was changed. */
  allowUnchanged?: boolean
  /** Tone of the confirm button: `danger` for a destructive action. */
  tone?: 'primary' | 'danger'
  onClose: () => void
  children: ReactNode
}

/** A form in a modal window. Closing it with changes asks first. */
export const FormDialog = <V extends object>(props: FormDialogProps<V>) => {
  const { title, description, size = 'md', form, submitLabel, allowUnchanged = false, tone = 'primary' } = props
  const { onClose, children } = props
  const id = useId()
  const [asking, setAsking] = useState(false)
  const close = () => {
    if (form.dirty) setAsking(true)
    else onClose()
  }
  return (
    <>
      <Dialog
        open
        onOpenChange={close}
        title={title}
        description={description}
        size={size}
        dismissible={!form.submitting}
        footer={
          <>
            <Button disabled={form.submitting} onClick={close}>
              Cancel
            </Button>
            <Button
              type="submit"
              form={id}
              variant={tone}
              loading={form.submitting}
              disabled={!allowUnchanged && !form.dirty}
            >
              {submitLabel}
            </Button>
          </>
        }
      >
        <Form form={form} id={id}>
          {children}
        </Form>
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close without saving?"
        consequence="Your changes here will be lost."
        confirmLabel="Discard"
        onConfirm={onClose}
      />
    </>
  )
}
