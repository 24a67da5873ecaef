import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { Notice } from '../feedback/notice.tsx'
import { cx } from '../theme/cx.ts'
import type { Form as FormState } from './use-form.ts'

type FormProps<V extends object> = { form: FormState<V>; id?: string; className?: string; children: ReactNode }

/** A form element with the problem that concerns it as a whole on top. */
export const Form = <V extends object>({ form, id, className, children }: FormProps<V>) => (
  <form {...form.props} id={id} aria-busy={form.submitting} className={cx('flex min-w-0 flex-col gap-4', className)}>
    {form.problem === undefined ? null : (
      <Notice tone="danger">
        <span className="whitespace-pre-line">{form.problem}</span>
      </Notice>
    )}
    {children}
  </form>
)

type FormActionsProps<V extends object> = { form: FormState<V>; label?: string }

/** Save and Discard at the end of a form. */
export const FormActions = <V extends object>({ form, label = 'Save changes' }: FormActionsProps<V>) => (
  <div className="flex flex-wrap items-center gap-2 pt-1">
    <Button type="submit" variant="primary" loading={form.submitting} disabled={!form.dirty}>
      {label}
    </Button>
    {form.dirty && !form.submitting ? (
      <Button variant="ghost" onClick={() => form.reset()}>
        Discard
      </Button>
    ) : null}
    <span role="status" className="text-faint text-xs">
      {form.dirty ? 'Unsaved changes' : ''}
    </span>
  </div>
)
