import { Specimen, Specimens } from './specimen.tsx'

const surfaces = [
  'bg-canvas',
  'bg-surface',
  'bg-raised',
  'bg-sunken',
  'bg-hover',
  'bg-pressed',
  'bg-accent',
  'bg-accent-soft',
] as const
const tones = [
  'bg-neutral-mark',
  'bg-draft-mark',
  'bg-live-mark',
  'bg-scheduled-mark',
  'bg-failed-mark',
  'bg-danger',
] as const

export const TokenSection = () => (
  <Specimens>
    <Specimen title="Surfaces">
      {surfaces.map((name) => (
        <Swatch key={name} name={name} />
      ))}
    </Specimen>
    <Specimen title="Meanings">
      {tones.map((name) => (
        <Swatch key={name} name={name} />
      ))}
    </Specimen>
    <Specimen title="Text" stack>
      <p className="font-semibold text-xl">Extra large 24, a page of its own</p>
      <p className="font-semibold text-lg">Large 20, the title of a screen</p>
      <p className="font-semibold text-md">Medium 16, the title of a dialog</p>
      <p className="text-base">Base 14, reading text and inputs</p>
      <p className="text-muted text-sm">Small 13, tables and descriptions</p>
      <p className="text-faint text-xs">Extra small 12, help and column heads</p>
    </Specimen>
    <Specimen title="Figures" stack>
      <table className="w-48 text-right text-sm">
        <caption className="sr-only">Tabular figures</caption>
        <tbody>
          <tr>
            <td>1,111.11</td>
          </tr>
          <tr>
            <td>8,888.88</td>
          </tr>
        </tbody>
      </table>
      <p className="font-mono text-xs">cmsdlv_8fK2 0O 1lI {'{}'} =&gt;</p>
    </Specimen>
  </Specimens>
)

const Swatch = ({ name }: { name: string }) => (
  <span className="flex flex-col gap-1">
    <span className={`h-9 w-16 rounded-md border border-line ${name}`} />
    <span className="text-2xs text-faint">{name.replace('bg-', '')}</span>
  </span>
)
