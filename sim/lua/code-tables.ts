// Generates JavaScript for reading table members and for table constructors.

import { boundPath, describe, foldNumber, refuseMember } from './code-bindings.ts';
import { type Code, complex, simple } from './code-context.ts';
import { CodeOperators } from './code-operators.ts';
import { LIBRARY_CONSTANTS } from './library-names.ts';
import type { Expression, IndexExpression, TableExpression } from './syntax.ts';

/** List items stored at once by a constructor. */
const ITEMS_PER_FLUSH = 50;

export abstract class CodeTables extends CodeOperators {
  /** All values of the last expression of a list, as JavaScript for an array; undefined for one value. */
  protected abstract openList(expression: Expression): string | undefined;
  /** The values of a list, the last one open, as the inside of a JavaScript array or argument list. */
  protected abstract listText(expressions: readonly Expression[]): string;

  protected index(expression: IndexExpression): Code {
    const { object, key, line } = expression;
    if (key.kind === 'string') {
      refuseMember(object, key.value, `${this.options.chunkId}:${line}`);
      const path = boundPath(expression);
      if (path !== undefined) return this.member(path);
    }
    const base = this.value(object);
    if (key.kind === 'string') {
      const name = JSON.stringify(key.value);
      return complex(
        `${this.context.mark(line, [describe(object)])}indexName(${base.text},${name})`,
      );
    }
    const position = foldNumber(key);
    if (
      position !== undefined &&
      Number.isInteger(position) &&
      position > 0 &&
      position < 2 ** 30
    ) {
      return complex(this.indexConstant(base, position, expression));
    }
    const reserved = this.context.reserved;
    const held = base.isSimple ? base.text : this.context.reserve();
    const keyCode = this.value(key);
    this.context.release(reserved);
    const before = base.isSimple ? base.text : `${held}=${base.text}`;
    const mark = this.context.mark(line, [describe(object)]);
    if (base.isSimple) return complex(`${mark}index(${base.text},${keyCode.text})`);
    return complex(`(${before},${mark}index(${held},${keyCode.text}))`);
  }

  /** A constant position of the array part, read without a call when it is there. */
  protected indexConstant(base: Code, position: number, expression: IndexExpression): string {
    const reserved = this.context.reserved;
    const held = base.isSimple ? base.text : this.context.reserve();
    const found = this.context.reserve();
    this.context.release(reserved);
    const mark = this.context.mark(expression.line, [describe(expression.object)]);
    const test = `${held} instanceof T&&(${found}=${held}.array[${position - 1}])!==undefined`;
    const text = `(${test}?${found}:${mark}index(${held},${position}))`;
    return base.isSimple ? text : `(${held}=${base.text},${text})`;
  }

  protected member(path: string): Code {
    const [library = '', member = ''] = path.split('.');
    const isNumber = LIBRARY_CONSTANTS[library]?.includes(member) ?? false;
    return simple(this.context.bind(path), isNumber ? 'number' : 'unknown');
  }

  protected table(expression: TableExpression): string {
    const { fields, line } = expression;
    const items = fields.filter((field) => field.kind === 'item');
    const pairs = fields.length - items.length;
    if (fields.length === 0) return 'new T()';
    const last = items.at(-1)?.value;
    const lastField = fields.at(-1);
    const isOpen = lastField?.kind === 'item' && last !== undefined && isOpenExpression(last);
    if (pairs === 0 && items.length <= ITEMS_PER_FLUSH) {
      const values = items.map((item) => item.value);
      return `new T(${isOpen ? 0 : sizeHint(items.length)},0,[${this.listText(values)}])`;
    }
    return this.mixedTable(
      expression,
      sizeHint(items.length - (isOpen ? 1 : 0)),
      sizeHint(pairs),
      line,
    );
  }

  protected mixedTable(
    expression: TableExpression,
    arraySize: number,
    hashSize: number,
    line: number,
  ): string {
    const reserved = this.context.reserved;
    const table = this.context.reserve();
    const list = this.context.reserve();
    const steps = [`${table}=new T(${arraySize},${hashSize})`, `${list}=[]`];
    let stored = 0;
    let pending = 0;
    for (const [index, field] of expression.fields.entries()) {
      if (pending === ITEMS_PER_FLUSH) {
        steps.push(`storeList(${table},${stored},${list})`, `${list}=[]`);
        stored += pending;
        pending = 0;
      }
      if (field.kind === 'pair') {
        const key = this.value(field.key);
        const heldKey = key.isSimple ? key.text : this.context.reserve();
        if (!key.isSimple) steps.push(`${heldKey}=${key.text}`);
        const value = this.value(field.value);
        steps.push(`${this.context.mark(field.line)}setIndex(${table},${heldKey},${value.text})`);
        continue;
      }
      const isLast = index === expression.fields.length - 1;
      const open = isLast ? this.openList(field.value) : undefined;
      steps.push(
        open === undefined
          ? `${list}.push(${this.value(field.value).text})`
          : `${list}=[...${list},...${open}]`,
      );
      pending++;
    }
    this.context.release(reserved);
    const flush =
      pending === 0 ? '' : `${this.context.mark(line)}storeList(${table},${stored},${list}),`;
    return `(${steps.join(',')},${flush}${table})`;
  }
}

export function isOpenExpression(expression: Expression): boolean {
  return expression.kind === 'call' || expression.kind === 'method' || expression.kind === 'vararg';
}

/** The size a constructor asks for is kept in a byte: three bits of mantissa above 15. */
function sizeHint(count: number): number {
  let size = count;
  let shift = 0;
  while (size >= 16) {
    size = (size + 1) >> 1;
    shift++;
  }
  return size * 2 ** shift;
}
