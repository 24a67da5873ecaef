import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { applyMutant, type Mutant } from '../tests/mutants/mutant.ts'

/** A copy of the tree to break rules in: whatever happens to this process, the tree itself stays as it is. */
export type MutantTree = {
  root: string
  /** Does the work while the rule is broken. */
  withMutant<T>(mutant: Mutant, work: () => Promise<T>): Promise<T>
  remove(): void
}

export const copyTree = (from: string): MutantTree => {
  const root = fs.mkdtempSync(join(tmpdir(), 'stoa-mutants-'))
  for (const file of filesOf(from)) {
    fs.mkdirSync(join(root, dirname(file)), { recursive: true })
    fs.copyFileSync(join(from, file), join(root, file))
  }
  linkPackages(from, root)
  for (const app of fs.readdirSync(join(from, 'web')))
    if (fs.existsSync(join(from, 'web', app, 'dist')))
      fs.symlinkSync(join(from, 'web', app, 'dist'), join(root, 'web', app, 'dist'))
  return {
    root,
    async withMutant(mutant, work) {
      const path = join(root, mutant.file)
      const text = fs.readFileSync(path, 'utf8')
      fs.writeFileSync(path, applyMutant(text, mutant))
      try {
        return await work()
      } finally {
        fs.writeFileSync(path, text)
      }
    },
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  }
}

const filesOf = (root: string): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && fs.existsSync(join(root, file)))

/** Others' packages are those of the tree; ours have to be those of the copy, or the mutant would not be loaded. */
const linkPackages = (from: string, root: string): void => {
  const modules = join(root, 'node_modules')
  fs.mkdirSync(modules)
  for (const name of fs.readdirSync(join(from, 'node_modules')))
    if (name !== OURS) fs.symlinkSync(join(from, 'node_modules', name), join(modules, name))
  fs.mkdirSync(join(modules, OURS))
  for (const name of fs.readdirSync(join(from, 'node_modules', OURS)))
    fs.symlinkSync(fs.readlinkSync(join(from, 'node_modules', OURS, name)), join(modules, OURS, name))
}

const OURS = '@stoa'
