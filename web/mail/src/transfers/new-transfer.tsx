import type { Transfer } from '@stoa/mail-model/transfers.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Form } from '@stoa/ui/form/form.tsx'
import { differs } from '@stoa/ui/form/form-errors.ts'
import { useForm } from '@stoa/ui/form/use-form.ts'
import { ConfirmDialog } from '@stoa/ui/layer/confirm-dialog.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { ProblemError, problemOf } from '@stoa/ui/request/problem.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { hasName } from '../api.ts'
import { PlanRoom } from '../filters/plan-room.tsx'
import { keepOptions } from './kept-options.ts'
import { createTransfer, TRANSFERS, transferQuery } from './queries.ts'
import { StepFields } from './transfer-steps.tsx'
import {
  bodyOf,
  checkSteps,
  hostWords,
  initialValues,
  nextStep,
  optionsOf,
  previousStep,
  stepOf,
  steps,
  type TransferValues,
} from './transfer-values.ts'

type NewTransferProps = {
  /** A transfer whose settings are used again, or empty. */
  again: string
  addressId: string
  onClose: () => void
  onStarted: (transfer: Transfer) => void
}

/** Asks step by step for what a transfer needs. */
export const NewTransfer = (props: NewTransferProps) => {
  const { again } = props
  const earlier = useQuery({ ...transferQuery(again), enabled: again !== '' })
  // Without its settings one can still begin from nothing
  if (again !== '' && !earlier.data && !earlier.error) return null
  return <Wizard {...props} earlier={earlier.data} />
}

const titles = {
  destination: 'Where should the mail go?',
  source: 'Where is your mail now?',
  options: 'What should be copied?',
  review: 'Ready to start',
} as const

const Wizard = ({ earlier, addressId, onClose, onStarted }: NewTransferProps & { earlier: Transfer | undefined }) => {
  const id = useId()
  const [initial] = useState(() => initialValues(earlier, addressId))
  const [asking, setAsking] = useState(false)
  const form = useTransferForm(initial, onStarted)
  const { step } = form.values
  const isLast = step === 'review'
  useFocusOfStep(id, step)
  const close = () => {
    if (differs({ ...form.values, step: '' }, { ...initial, step: '' })) setAsking(true)
    else onClose()
  }
  return (
    <>
      <Dialog
        open
        onOpenChange={close}
        title={titles[step]}
        description={<StepBar at={steps.indexOf(step)} />}
        size="md"
        dismissible={!form.submitting}
        footer={
          <>
            {step === 'destination' ? (
              <Button onClick={close}>Cancel</Button>
            ) : (
              <Button disabled={form.submitting} onClick={() => form.set({ step: previousStep(step) })}>
                Back
              </Button>
            )}
            <Button type="submit" form={id} variant="primary" loading={form.submitting}>
              {isLast ? 'Start transfer' : 'Next'}
            </Button>
          </>
        }
      >
        <Form form={form} id={id}>
          {step === 'destination' || isLast ? <PlanRoom of="transfers" words={PLAN_WORDS} /> : null}
          <StepFields form={form} />
        </Form>
      </Dialog>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Close without starting?"
        consequence="Everything you entered will be lost."
        confirmLabel="Discard"
        onConfirm={onClose}
      />
    </>
  )
}

const StepBar = ({ at }: { at: number }) => (
  <span className="flex items-center gap-3">
    Step {at + 1} of {steps.length}
    <span aria-hidden className="flex gap-1">
      {steps.map((step, index) => (
        <span key={step} className={cx('h-1 w-6 rounded-full', index <= at ? 'bg-accent' : 'bg-pressed')} />
      ))}
    </span>
  </span>
)

const PLAN_WORDS = {
  full: (limit: number) =>
    limit === 1 ? 'You can run one transfer at a time' : `You can run ${limit} transfers at a time`,
  help: 'Wait until a transfer ends.',
}

const useTransferForm = (initial: TransferValues, onStarted: (transfer: Transfer) => void) => {
  const queryClient = useQueryClient()
  const form = useForm<TransferValues>({
    initial,
    validate: checkSteps,
    guard: false,
    onSubmit: async (values) => {
      if (values.step !== 'review') return { ...values, step: nextStep(values.step) }
      const transfer = await createTransfer(bodyOf(values)).catch((error: unknown) => {
        const problem = refusalOf(error, values)
        const [first] = problem.fields
        if (first) form.set({ step: stepOf(first.key) })
        throw problem
      })
      keepOptions(transfer.id, optionsOf(values))
      queryClient.setQueryData(transferQuery(transfer.id).queryKey, transfer)
      void queryClient.invalidateQueries({ queryKey: TRANSFERS })
      onStarted(transfer)
      return { ...values, password: '' }
    },
  })
  return form
}

/** Puts the service's error at the input that can fix it. */
const refusalOf = (error: unknown, { host }: TransferValues): ProblemError => {
  const { message, fields } = problemOf(error)
  if (hasName(error, 'conflict') || hasName(error, 'not_found'))
    return new ProblemError(message, [{ key: 'address_id', message }], { cause: error })
  const worded = fields.map((field) =>
    field.key === 'host' ? { key: 'host', message: hostWords(host, field.message) } : field,
  )
  return new ProblemError(message, worded, { cause: error })
}

/** The dialog keeps its place while its content becomes another: the focus goes to the first input of it. */
const useFocusOfStep = (formId: string, step: string): void => {
  const [first] = useState(step)
  useEffect(() => {
    const form = document.getElementById(formId)
    const target = form?.querySelector<HTMLElement>('[aria-invalid="true"], input, select, textarea')
    if (target) target.focus()
    else if (step !== first) document.querySelector<HTMLElement>(`button[form="${CSS.escape(formId)}"]`)?.focus()
  }, [formId, step, first])
}
