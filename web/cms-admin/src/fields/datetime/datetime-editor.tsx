import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import { RelativeTime } from '@stoa/ui/display/relative-time.tsx'
import { RadioChoice } from '@stoa/ui/form/choice-group.tsx'
import { useId, useState } from 'react'
import { MomentInput } from '../date/moment-input.tsx'
import type { EditorProps } from '../editor.ts'
import { textOf } from '../text-of.ts'
import { offsetName, readWall, repeatedTimeOf, wallOf } from './zoned-time.ts'

/** A moment, typed in the person's time zone and stored as the same moment for everybody. */
export const DatetimeEditor = ({ field, value, onChange, disabled }: EditorProps<FieldOf<'datetime'>>) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const [skipped, setSkipped] = useState<string>()
  const moment = textOf(value)
  const choose = (wall: string) => {
    const reading = readWall(wall, zone)
    setSkipped(reading?.kind === 'skipped' ? wall : undefined)
    onChange(reading?.moment ?? null)
  }
  return (
    <>
      <MomentInput
        type="datetime-local"
        label={field.label}
        min={field.min === undefined ? undefined : wallOf(field.min, zone)}
        max={field.max === undefined ? undefined : wallOf(field.max, zone)}
        value={wallOf(moment, zone)}
        disabled={disabled}
        onValue={choose}
      />
      {skipped === undefined || moment === '' ? null : (
        <p role="status" className="text-draft-ink text-xs">
          Clocks skip {skipped.slice(11)} that night: {wallOf(moment, zone).slice(11)} is used.
        </p>
      )}
      <RepeatedTime moment={moment} zone={zone} disabled={disabled} onChange={onChange} />
      <Meaning moment={moment} zone={zone} />
    </>
  )
}

type RepeatedTimeProps = { moment: string; zone: string; disabled: boolean; onChange: (moment: string) => void }

const RepeatedTime = ({ moment, zone, disabled, onChange }: RepeatedTimeProps) => {
  const name = useId()
  const repeated = moment === '' ? undefined : repeatedTimeOf(moment, zone)
  if (!repeated) return null
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-draft-ink text-xs">
        Clocks show this time twice that night. Which one do you mean?
      </legend>
      {[repeated.earlier, repeated.later].map((time, index) => (
        <RadioChoice
          key={time}
          name={name}
          value={time}
          chosen={moment}
          onChoose={onChange}
          disabled={disabled}
          label={`${index === 0 ? 'The first' : 'The second'} (${offsetName(time, zone)})`}
        />
      ))}
    </fieldset>
  )
}

const Meaning = ({ moment, zone }: { moment: string; zone: string }) => {
  const at = new Date(moment)
  const zoneName = zone.replaceAll('_', ' ')
  if (Number.isNaN(at.getTime())) return <p className="text-faint text-xs">Your time zone: {zoneName}.</p>
  return (
    <p className="text-faint text-xs">
      {zoneName} ({offsetName(moment, zone)}), <RelativeTime at={moment} />. In UTC: {moment.slice(0, 10)}{' '}
      {moment.slice(11, 16)}.
    </p>
  )
}
