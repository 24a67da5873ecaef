import { FormActions } from './form.tsx'
import type { Form as FormState } from './use-form.ts'

/** Save and Discard at the bottom of the window while something is changed, however long the form is. */
export const StickyFormActions = <V extends object>({ form }: { form: FormState<V> }) =>
  form.dirty || form.submitting ? (
    <div className="layer-sticky sticky bottom-4 rounded-xl border border-line bg-raised px-4 py-3 shadow-md">
      <FormActions form={form} />
    </div>
  ) : null
