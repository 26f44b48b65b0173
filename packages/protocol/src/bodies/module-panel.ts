import * as v from 'valibot'

/** A value of the own ship, of the row that it refers to, or of each row of a list. */
export interface PanelField {
  readonly label: string
  readonly column: string
  readonly kind: 'f64' | 'i32' | 'u32' | 'bit' | 'row' | 'text'
  readonly unit: string
  readonly words: readonly string[]
  readonly of?: string
  readonly table?: string
}

const field: v.GenericSchema<PanelField> = v.object({
  label: v.string(),
  column: v.string(),
  kind: v.picklist(['f64', 'i32', 'u32', 'bit', 'row', 'text']),
  unit: v.string(),
  words: v.array(v.string()),
  of: v.exactOptional(v.string()),
  table: v.exactOptional(v.string()),
})

/** A value that a command is given. */
export interface PanelInput {
  readonly name: string
  readonly label: string
  readonly kind: 'number' | 'text' | 'bit' | 'row'
  readonly unit: string
  readonly table?: string
}

/** A command, with what it is given. */
export interface PanelButton {
  readonly label: string
  readonly command: string
  readonly inputs: readonly PanelInput[]
  readonly when?: string
  readonly row?: string
}

const button: v.GenericSchema<PanelButton> = v.object({
  label: v.string(),
  command: v.string(),
  inputs: v.array(
    v.object({
      name: v.string(),
      label: v.string(),
      kind: v.picklist(['number', 'text', 'bit', 'row']),
      unit: v.string(),
      table: v.exactOptional(v.string()),
    }),
  ),
  when: v.exactOptional(v.string()),
  row: v.exactOptional(v.string()),
})

/** The rows of a table. */
export interface PanelList {
  readonly label: string
  readonly table: string
  readonly row: string
  readonly columns: readonly PanelField[]
  readonly buttons: readonly PanelButton[]
  readonly marker: boolean
}

/** What a page draws of a module, without a line of its own for it. */
export interface ModulePanel {
  readonly title: string
  readonly fields: readonly PanelField[]
  readonly buttons: readonly PanelButton[]
  readonly lists: readonly PanelList[]
}

export const modulePanel: v.GenericSchema<ModulePanel> = v.object({
  title: v.string(),
  fields: v.array(field),
  buttons: v.array(button),
  lists: v.array(
    v.object({
      label: v.string(),
      table: v.string(),
      row: v.string(),
      columns: v.array(field),
      buttons: v.array(button),
      marker: v.boolean(),
    }),
  ),
})
