import { Meter } from '@stoa/ui/feedback/meter.tsx'
import { Field, FieldContext } from '@stoa/ui/form/field.tsx'
import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { describeUse, type QuotaText, quotaUnits } from './quota.ts'

type QuotaFieldProps = { value: QuotaText; onValue: (value: QuotaText) => void; error?: string | undefined }

/** How much mail an address may hold. */
export const QuotaField = ({ value, onValue, error }: QuotaFieldProps) => (
  <Field
    label="Quota"
    optional
    error={error}
    help="Maximum storage for this mailbox. Leave empty for no separate limit."
  >
    <div className="flex min-w-0 gap-2">
      <Input
        className="max-w-40"
        inputMode="decimal"
        autoComplete="off"
        placeholder="No limit"
        value={value.amount}
        onChange={(event) => onValue({ ...value, amount: event.target.value })}
      />
      {/* The wiring of the field is for the number */}
      <FieldContext value={null}>
        <Select
          aria-label="Quota unit"
          className="max-w-24"
          value={value.unit}
          options={quotaUnits.map((unit) => ({ value: unit, label: unit }))}
          onValue={(unit) => onValue({ ...value, unit: quotaUnits.find((one) => one === unit) ?? 'GB' })}
        />
      </FieldContext>
    </div>
  </Field>
)

type QuotaBarProps = { used: number; quota: number | null; label?: string }

/** Used and available storage of a mailbox. */
export const QuotaBar = ({ used, quota, label = 'Storage' }: QuotaBarProps) => {
  const text = describeUse(used, quota)
  return (
    <span className="flex min-w-0 max-w-56 flex-col gap-1">
      <span className="whitespace-nowrap text-sm tabular-nums">{text}</span>
      {quota === null ? null : <Meter label={label} value={used} max={quota} text={text} />}
    </span>
  )
}
