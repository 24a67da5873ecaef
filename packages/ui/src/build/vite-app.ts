import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { HtmlTagDescriptor, Plugin, UserConfig } from 'vite'

type AppOptions = {
  /** The folder with index.html. */
  root: string
  /** Its HTML files, where there are others than index.html. */
  documents?: readonly string[]
  /** Where the dev server serves the app; in production the server chooses. */
  devBase: string
  devPort: number
  /** How many parts of the app use a component that comes at once. */
  sharedBy?: number
  /** The service that answers these paths in development. */
  proxy?: { target: string; paths: readonly string[] }
  /** Packages whose license has to go wherever their code goes. */
  licensed?: readonly string[]
}

// light-dark(), nesting and popovers without fallbacks
export const TARGET = ['chrome123', 'firefox128', 'safari17.5']

/**
 * What nearly every screen needs comes at once, in few files. By itself the bundler makes one of each icon and component
 * that two screens share: dozens of requests before a screen can be drawn.
 */
const shared = (sharedBy: number) => [
  {
    name: 'base',
    test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual)[\w-]+)\//,
    priority: 3,
  },
  { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2, priority: 2 },
  { name: 'ui', test: /packages\/ui\/src\//, minShareCount: sharedBy, priority: 1 },
]

/**
 * The Vite configuration of every app. A built document has two placeholders that the server fills: `__APP_BASE__` (the path
 * that the app lives under, with a slash at its end) and, where its policy has a nonce, `__CSP_NONCE__`.
 */
export const appConfig = ({ root, documents, devBase, devPort, sharedBy = 10, ...rest }: AppOptions): UserConfig => ({
  root,
  base: devBase,
  plugins: [tailwindcss(), react(), shellAssets(), licenses(root, rest.licensed ?? [])],
  server: {
    port: devPort,
    strictPort: true,
    proxy: Object.fromEntries(
      (rest.proxy?.paths ?? []).map((path) => [path, { target: rest.proxy?.target ?? '', ws: true }]),
    ),
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: TARGET,
    cssTarget: TARGET,
    // The CSP allows no inline script and no data: font
    assetsInlineLimit: 0,
    // A test of the built files checks their sizes; a warning would only appear at everybody's first start
    chunkSizeWarningLimit: 4_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      ...(documents && { input: documents.map((name) => join(root, name)) }),
      output: { codeSplitting: { groups: shared(sharedBy) } },
    },
  },
  // Like the app's own scripts: each is one file that imports nothing
  worker: { format: 'es' },
  experimental: {
    renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `${APP_BASE}${file}` : { relative: true }),
  },
})

const APP_BASE = '__APP_BASE__'
const NONCE = '__CSP_NONCE__'

type ShellAsset = { file: string; type: string; source: Buffer }

const shellAsset = (name: string, extension: string, type: string): ShellAsset => {
  const source = readFileSync(new URL(`../theme/${name}.${extension}`, import.meta.url))
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  return { file: `assets/${name}-${hash}.${extension}`, type, source }
}

/** The license must be shipped with the font (SIL Open Font License 1.1, condition 2). */
const fontLicense = (): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve('@fontsource-variable/inter/LICENSE'))

const licenses = (root: string, packages: readonly string[]): Plugin => ({
  name: 'stoa-licenses',
  generateBundle() {
    const { resolve } = createRequire(join(root, 'package.json'))
    for (const name of packages)
      this.emitFile({
        type: 'asset',
        fileName: `assets/${name}-license.txt`,
        source: readFileSync(resolve(`${name}/LICENSE`)),
      })
  },
})

/** The font of Latin text, asked for with the page: the stylesheet alone would name it only after it has been read. */
const fontPreloads = (files: readonly string[]): HtmlTagDescriptor[] =>
  files
    .filter((file) => /\/inter-latin-wght-normal-[^/]+\.woff2$/.test(file))
    .map((file) => ({
      tag: 'link',
      // Fonts are always asked for without credentials, and a preload counts only when it is asked for alike
      attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `${APP_BASE}${file}` },
      injectTo: 'head',
    }))

/** The tags that every document of every app begins with; each document adds only its own. */
const headOf = (base: string): HtmlTagDescriptor[] => [
  { tag: 'meta', attrs: { charset: 'utf-8' }, injectTo: 'head-prepend' },
  ...Object.entries({
    viewport: 'width=device-width, initial-scale=1',
    'color-scheme': 'light dark',
    robots: 'noindex',
    'app-base': base,
  }).map(([name, content]): HtmlTagDescriptor => ({ tag: 'meta', attrs: { name, content }, injectTo: 'head-prepend' })),
]

/** The head that documents share, with the blocking theme script and the icon, which every app serves from its own origin. */
const shellAssets = (): Plugin => {
  const theme = shellAsset('theme-boot', 'js', 'text/javascript')
  const icon = shellAsset('favicon', 'svg', 'image/svg+xml')
  let base = APP_BASE
  let serving = false
  return {
    name: 'stoa-shell-assets',
    configResolved: (config) => {
      serving = config.command === 'serve'
      if (serving) base = config.base
    },
    configureServer: (server) => {
      server.middlewares.use((req, res, next) => {
        const asset = [theme, icon].find(({ file }) => req.url?.endsWith(`/${file}`))
        if (!asset) return next()
        res.setHeader('Content-Type', asset.type)
        res.end(asset.source)
      })
    },
    generateBundle() {
      for (const { file, source } of [theme, icon]) this.emitFile({ type: 'asset', fileName: file, source })
      this.emitFile({ type: 'asset', fileName: 'assets/inter-license.txt', source: fontLicense() })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => ({
        html: serving ? html.replaceAll(APP_BASE, base).replaceAll(NONCE, '') : html,
        tags: [
          ...headOf(base),
          { tag: 'script', attrs: { src: `${base}${theme.file}` }, injectTo: 'head-prepend' },
          ...fontPreloads(Object.keys(bundle ?? {})),
          { tag: 'link', attrs: { rel: 'icon', type: icon.type, href: `${base}${icon.file}` }, injectTo: 'head' },
        ],
      }),
    },
  }
}
