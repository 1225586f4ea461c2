// The syntax tree of a Lua 5.1 chunk: what the parser makes and the code generator reads. Names are
// resolved already, so the generator knows which locals are captured, reassigned or constant.
// Lines are those of the instruction the reference compiler would emit, for error positions.

/** A local variable, parameter or loop variable. */
export interface Variable {
  readonly name: string;
  /** Unique in the chunk; the generated JavaScript name is built from it. */
  readonly id: number;
  readonly owner: FunctionScope;
  /** Assigned after its declaration. */
  isReassigned: boolean;
  isCaptured: boolean;
  /** Assigned by a function other than its owner. */
  isReassignedInClosure: boolean;
  /** Every expression ever assigned, to infer its type; undefined stands for one not known. */
  readonly sources: (Expression | undefined)[];
}

/** What is known of one function while parsing and after. */
export interface FunctionScope {
  readonly parent: FunctionScope | undefined;
  readonly lineDefined: number;
  isVararg: boolean;
  /** The hidden `arg` table of Lua 5.0 style vararg functions that do not use `...`. */
  usesDots: boolean;
  argVariable: Variable | undefined;
  readonly upvalues: Set<Variable>;
  activeLocals: number;
}

export type Expression =
  | { readonly kind: 'nil' | 'true' | 'false' | 'vararg' }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | FunctionExpression
  | LocalExpression
  | GlobalExpression
  | IndexExpression
  | CallExpression
  | MethodCallExpression
  | { readonly kind: 'parenthesis'; readonly inner: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'negate' | 'length'; readonly operand: Expression; readonly line: number }
  | ArithmeticExpression
  | ComparisonExpression
  | ConcatExpression
  | TableExpression;

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%' | '^';
export type ComparisonOperator = '==' | '~=' | '<' | '<=' | '>' | '>=';

export interface ArithmeticExpression {
  readonly kind: 'arithmetic';
  readonly operator: ArithmeticOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly line: number;
}
export interface ComparisonExpression {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly line: number;
}
export interface ConcatExpression {
  readonly kind: 'concat';
  readonly operands: readonly Expression[];
  readonly line: number;
}
export interface FunctionExpression {
  readonly kind: 'function';
  readonly scope: FunctionScope;
  readonly parameters: readonly Variable[];
  readonly body: Block;
  /** For readers of JavaScript stacks only. */
  readonly hint: string;
}
export interface LocalExpression {
  readonly kind: 'local';
  readonly variable: Variable;
  readonly isUpvalue: boolean;
}
export interface GlobalExpression {
  readonly kind: 'global';
  readonly name: string;
  /** Set when the parser reaches the token at which the value is loaded. */
  line: number;
}
export interface IndexExpression {
  readonly kind: 'index';
  readonly object: Expression;
  readonly key: Expression;
  line: number;
}
export interface CallExpression {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly arguments: readonly Expression[];
  readonly line: number;
}
export interface MethodCallExpression {
  readonly kind: 'method';
  readonly object: Expression;
  readonly name: string;
  readonly arguments: readonly Expression[];
  readonly selfLine: number;
  readonly line: number;
}
export type TableField =
  | { readonly kind: 'item'; readonly value: Expression }
  | {
      readonly kind: 'pair';
      readonly key: Expression;
      readonly value: Expression;
      readonly line: number;
    };
export interface TableExpression {
  readonly kind: 'table';
  readonly fields: readonly TableField[];
  readonly line: number;
}

export type AssignmentTarget = LocalExpression | GlobalExpression | IndexExpression;
export type Block = readonly Statement[];

export type Statement =
  | {
      readonly kind: 'local';
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
    }
  | {
      readonly kind: 'local-function';
      readonly variable: Variable;
      readonly value: FunctionExpression;
    }
  | {
      readonly kind: 'assign';
      readonly targets: readonly AssignmentTarget[];
      readonly values: readonly Expression[];
      readonly line: number;
    }
  | { readonly kind: 'call'; readonly call: CallExpression | MethodCallExpression }
  | { readonly kind: 'do'; readonly body: Block }
  | { readonly kind: 'while'; readonly condition: Expression; readonly body: Block }
  | { readonly kind: 'repeat'; readonly body: Block; readonly condition: Expression }
  | {
      readonly kind: 'if';
      readonly branches: readonly { readonly condition: Expression; readonly body: Block }[];
      readonly otherwise: Block | undefined;
    }
  | {
      readonly kind: 'numeric-for';
      readonly variable: Variable;
      readonly from: Expression;
      readonly to: Expression;
      readonly step: Expression | undefined;
      readonly body: Block;
      /** Where a bound that is no number is reported. */
      readonly prepareLine: number;
    }
  | {
      readonly kind: 'generic-for';
      readonly variables: readonly Variable[];
      readonly values: readonly Expression[];
      readonly body: Block;
      readonly line: number;
    }
  | { readonly kind: 'return'; readonly values: readonly Expression[] }
  | { readonly kind: 'break' };
