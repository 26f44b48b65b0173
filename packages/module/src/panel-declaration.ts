import type { PanelButton, PanelField, PanelInput, PanelList } from '@orrery/engine/modules'

/** A column with its name for pilots; its unit is the column's. */
export interface FieldDeclaration extends Pick<PanelField, 'label' | 'column' | 'of'> {
  /** for 0, 1 and so on, or for false and true; of no text */
  readonly words?: readonly string[]
}

/** What a command is given beside the row of a list: a number where nothing else is said. */
export interface InputDeclaration extends Pick<PanelInput, 'label' | 'table'> {
  readonly unit?: string
  readonly kind?: 'number' | 'text' | 'bit'
}

export interface ButtonDeclaration extends Pick<PanelButton, 'label' | 'command' | 'when'> {
  /** by their names in the command's body */
  readonly inputs?: Readonly<Record<string, InputDeclaration>>
}

export interface ListDeclaration extends Pick<PanelList, 'label' | 'table' | 'row'> {
  readonly columns: readonly FieldDeclaration[]
  readonly buttons?: readonly (ButtonDeclaration & Pick<PanelButton, 'row'>)[]
  readonly marker?: boolean
}

/** What the page of players draws for a module. */
export interface PanelDeclaration {
  readonly title: string
  readonly fields?: readonly FieldDeclaration[]
  readonly buttons?: readonly ButtonDeclaration[]
  readonly lists?: readonly ListDeclaration[]
}
