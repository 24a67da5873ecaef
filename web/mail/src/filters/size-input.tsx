import { Input } from '@stoa/ui/form/input.tsx'
import { Select } from '@stoa/ui/form/select.tsx'
import { useState } from 'react'
import { MAX_BYTES } from './rules.ts'

type SizeInputProps = {
  label: string
  bytes: number
  onBytes: (bytes: number) => void
  'aria-invalid'?: true | undefined
  'aria-describedby'?: string | undefined
}

const units = [
  { value: 'M', label: 'MB', size: 1024 ** 2 },
  { value: 'K', label: 'kB', size: 1024 },
  { value: 'B', label: 'bytes', size: 1 },
] as const
type Unit = (typeof units)[number]

const bestUnit = (bytes: number): Unit => units.find(({ size }) => bytes % size === 0) ?? units[2]

/** A size in the unit that a person thinks in. */
export const SizeInput = ({ label, bytes, onBytes, ...wiring }: SizeInputProps) => {
  const [unit, setUnit] = useState<Unit>(() => bestUnit(bytes))
  const setBytes = (amount: number, { size }: Unit) => onBytes(Math.min(Math.round(amount * size), MAX_BYTES))
  return (
    <span className="flex items-center gap-1.5">
      <Input
        {...wiring}
        aria-label={label}
        type="number"
        min={0}
        step="any"
        className="w-24!"
        value={String(bytes / unit.size)}
        onChange={(event) => setBytes(Number(event.target.value), unit)}
      />
      <Select
        aria-label={`${label}, unit`}
        className="w-24!"
        value={unit.value}
        options={units}
        onValue={(value) => {
          const next = units.find((known) => known.value === value) ?? units[0]
          setUnit(next)
          setBytes(bytes / unit.size, next)
        }}
      />
    </span>
  )
}
